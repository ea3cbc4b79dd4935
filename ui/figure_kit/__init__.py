"""Helpers for describing figures: pure functions from results to interactive figures, without Streamlit."""
