"""A class in the room: its store, the routes of its phones, what runs in it, and its pictures."""
