"""Helpers for figure descriptions: pure functions from results to live figures, without Streamlit."""
