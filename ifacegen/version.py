"""The version, alone: it is a part of every key."""

VERSION = "0.1.0"
