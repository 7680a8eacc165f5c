# -*- coding: latin-1 -*-
"""café"""
NAME = "é"
