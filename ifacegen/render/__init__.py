"""From values to what is printed: text with its header, JSON, stub trees."""
