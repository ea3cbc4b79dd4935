"""A class in the room: the lecturer's view and the projector's."""
