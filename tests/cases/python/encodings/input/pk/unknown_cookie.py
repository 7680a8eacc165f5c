# coding: klingon
X = 1
