# coding: utf-8
X = "é"
