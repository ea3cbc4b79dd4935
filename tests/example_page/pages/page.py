from pages.example.spec import PAGE
from ui.frame.page_spec import open_page

open_page(PAGE)
