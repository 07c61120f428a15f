"""One thread owns the match; everything else posts to its mailboxes and reads its frozen snapshots."""
