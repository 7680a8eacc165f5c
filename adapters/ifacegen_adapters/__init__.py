"""Adapters shipped with ifacegen: one folder an ecosystem, independent of each other."""
