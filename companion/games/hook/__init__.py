"""Hook!: pirates and sailors shoot through the holes of Sight tiles at Target cards."""
