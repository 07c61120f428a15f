"""A table that is not there: a camera that renders frames of poses it is given, with the truth about them."""
