"""What other sites show of a link: a preview, or the figure itself.

- `address` returns the server's public address.
- `link_preview` adds Open Graph elements to every page.
- `routes` answers ``/oembed`` and ``/previews/PAGE.png``.
"""
