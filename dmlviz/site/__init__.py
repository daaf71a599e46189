"""Many movements as linked static pages, for any web host or a folder on a USB drive."""

from __future__ import annotations

from dmlviz.site.write import SitePage, framed_page, shared_files, write_site

__all__ = ["SitePage", "framed_page", "shared_files", "write_site"]
