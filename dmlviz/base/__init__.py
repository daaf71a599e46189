"""What every room uses: errors, words, text, caches, files, links, templates."""
