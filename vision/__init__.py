"""From frames to what lies on the table: plane, pieces, tiles and their holes, motion, tracking."""
