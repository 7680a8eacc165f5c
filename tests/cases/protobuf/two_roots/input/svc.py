"""A service with two folders of protos."""
