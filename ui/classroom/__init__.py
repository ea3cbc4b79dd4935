"""Classroom: the database of rooms, the routes for phones, the activities, and their texts."""
