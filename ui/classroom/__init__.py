"""Classroom: the store of rooms, the phones' routes, activities, and their pictures."""
