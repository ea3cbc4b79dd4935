"""Results to figure descriptions: pure functions, one module a page, no Streamlit inside."""
