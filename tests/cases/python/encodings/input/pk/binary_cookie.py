# coding: zlib
X = 1
