"""The Classroom page: the lecturer's view and the projector's view of a room."""
