"""Styles of a page on paper: light, without controls, with stacked columns and unsplit pictures."""

from __future__ import annotations

__all__ = ["PAPER_CSS", "on_paper"]

# Widths of what is laid out for the sheet. Scripts measure figures in this layout just before the browser prints,
# when the styles of print do not hold yet: the page then has the class paper-layout.
_LAYOUT = """
.stMainBlockContainer {max-width: none !important; padding: 0 !important;}
.stHorizontalBlock {flex-direction: column !important; flex-wrap: nowrap !important; gap: 0.6rem !important;}
.stColumn {width: 100% !important; min-width: 100% !important; flex: none !important;}
:is(.stColumn, .stHorizontalBlock, .stVerticalBlock, [data-testid="stLayoutWrapper"]) {height: auto !important;}
.stExpander:not(:has(details[open])) {display: none !important;}
"""
# Streamlit's theme writes the colours of its elements one by one: those of the dark one cannot be read on paper.
_OWN = '[class^="dp-"], [class*=" dp-"]'
_PLAIN = f':not({_OWN}, :is({_OWN}) *, [style*="color"], .stPlotlyChart *)'
_PRINT = f"""
@page {{margin: 13mm 12mm;}}
:root, body, .stApp {{background: #fff !important; color: #1c2333 !important; color-scheme: light !important;}}
html, body, #root, .stApp, .stAppViewContainer, .stMain {{
  height: auto !important; min-height: 0 !important; overflow: visible !important;}}
.stApp {{--st-background-color: #fff; --st-text-color: #1c2333; --st-primary-color: #4f46e5;}}
.stApp * {{transition: none !important; animation: none !important;}}
.stApp {_PLAIN} {{
  color: inherit !important; border-color: #d9dce6 !important; background-color: transparent !important;}}
[data-testid="stRadioOption"][data-selected] > div > div:first-child {{background-color: #4f46e5 !important;}}
.stApp a {{color: #4338ca !important;}}
.stMarkdownColoredText {{color: inherit !important;}}
.stMarkdownBadge {{color: inherit !important; border: 1px solid #9aa3b5; background: none !important;}}
[data-testid="stHeader"], [data-testid="stToolbar"], .st-key-depths, .stElementToolbar, .stTooltipIcon, .stSlider,
.stButton, .stDownloadButton, .stFormSubmitButton, .stLinkButton, .stButtonGroup, .stFileUploader, .stCheckbox,
summary [data-testid="stIconMaterial"], summary [data-testid="stExpanderToggleIcon"], .dp-later, .dp-tip,
.stMainBlockContainer [data-testid="stSkeleton"] {{display: none !important;}}
h1, h2, h3, h4, h5, h6, summary, .dp-question, .dp-odds-asked, .stElementContainer:has(h1, h2, h3, h4, h5, h6) {{
  break-after: avoid;}}
figure, tr, li, blockquote, .katex-display, .stAlert, .stPlotlyChart, .stImage, .st-key-guarantee:not(:has(table)),
.dp-readouts, .dp-people, .dp-mobile {{break-inside: avoid;}}
p {{orphans: 3; widows: 3;}}
pre, pre code {{white-space: pre-wrap !important; overflow-wrap: anywhere; overflow: visible !important;
  max-height: none !important;}}
.stMarkdown table {{width: 100%;}}
.stDataFrame:has(+ .dp-grid) {{display: none !important;}}
.dp-grid {{width: 100%; border-collapse: collapse; font-size: 0.9rem; margin: 0.5rem 0;}}
.dp-grid :is(th, td) {{text-align: left; vertical-align: top; padding: 0.2rem 0.6rem 0.2rem 0;
  border-bottom: 1px solid #d9dce6;}}
.js-plotly-plot .svg-container {{width: 100% !important; height: auto !important; aspect-ratio: var(--ratio);}}
.js-plotly-plot .main-svg {{width: 100%; height: 100%;}}
.js-plotly-plot .modebar-container {{display: none;}}
.js-plotly-plot text {{fill: #1c2333 !important;}}
.js-plotly-plot :is(.bg, .main-svg) {{fill: none !important; background: none !important;}}
.js-plotly-plot :is(.gridlayer, .zerolinelayer) path {{stroke: #d9dce6 !important;}}
"""


def on_paper(rules: str) -> str:
    """Return style rules that hold on paper, and while scripts measure figures for it."""
    return f"@media print {{{rules}}} html.paper-layout {{{rules}}}"


PAPER_CSS = f"""<style>
{on_paper(_LAYOUT)}
html.paper-layout .stMainBlockContainer {{width: 680px !important;}}
@media print {{{_PRINT}}}
</style>"""
