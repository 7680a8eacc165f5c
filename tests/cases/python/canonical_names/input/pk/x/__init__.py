from .y import Deep as Deep
