import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.verify.text import PAGE_LIMIT, decode, plain


def test_html_is_taken_away():
    page = "a<p>b</p><script>evil()</script><STYLE>c</STYLE>d<!-- e -->f &lt;b&gt;<td>g"
    assert plain(page).text == "a\nb\ndf <b> | g"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<https://example.org>", "<https://example.org>"),
        ("<script>never closed", "never closed"),
        ("<html><script>never closed", "never closed"),
        ("<!-- never closed", "<!-- never closed"),
        ("a <!-- never closed\n\n--> b", "a <!-- never closed\n\n--> b"),
        ("a <b", "a <b"),
        ("a</script>b", "ab"),
        ("<scripted>b", "<scripted>b"),
        ("a<b and c is even.\n\nd>e", "a<b and c is even.\n\nd>e"),
        ("a<b and c>d", "a<b and c>d"),
        ("a <b\n\n>c", "a <b\n\n>c"),
        ("<html>a <b x='\n\n'>c", "a <b x='\n\n'>c"),
        ("for (i = 0; i <count; i >>= 1)", "for (i = 0; i <count; i >>= 1)"),
        ("x<<y>>z, a <!b> c, d <?e> f, g <![h]> i", "x<<y>>z, a <!b> c, d <?e> f, g <![h]> i"),
        ("std::vector<UINT > a", "std::vector<UINT > a"),
        ("`<script>` a `</script>`", " <script>  a  </script> "),
        ("``a ` <br>`` <br>c", "  a   <br>   \nc"),
        ("a ` b <br>c", "a   b \nc"),
        ("\\<br> a<br>b", "\\<br> a\nb"),
        ("- x\n\n  > `<br>`<br>y", "- x\n\n  >  <br> \ny"),
        ("```\n<br>\n```\na<br>b", "   \n<br>\n   \na\nb"),
        ("~~~\n<!--\n~~~\na\n~~~\n-->", "~~~\n<!--\n~~~\na\n~~~\n-->"),
        ("    <!-- a<br>b -->", "    <!-- a\nb -->"),
        ("<div>\n\n    <td>a</td>", "\n\n\n     | a | "),
        ("<script>a<script>b</script>c", "c"),
        ("<template>a<template>b</template>c</template>d", "d"),
        ("<template/>a</template>b", "ab"),
        ("<o:p>a</o:p><local-time x=y>b", "ab"),
        ("<input disabled data-x>a<td nowrap>b", "a | b"),
        ("<?xml version='1.0'?><!DOCTYPE html><p>a", "\na"),
        ("`a`：［1、2］", " a :[1,2]"),
        ("a\ud800b", "a\ufffdb"),
        ("a\u202fb\u3000c\x1b[2Jd\u202ee", "a b c [2Jd e"),
    ],
)
def test_what_is_a_tag_and_what_is_not(page, text):
    assert plain(page).text == text


def lines_by_word(page):
    source = plain(page)
    return {word: source.line(source.text.index(word)) for word in source.text.split()}


def test_lines_are_those_of_the_page():
    page = "one<br>uno\n<script>\n\n</script>four<pre>quattro\nfive</pre>\n<!--\n\n-->eight\n\n<b\nid=x>nine\n"
    found = {"one": 1, "uno": 1, "four": 4, "quattro": 4, "five": 5, "eight": 8, "nine": 11}
    assert lines_by_word(page) == found
    assert lines_by_word("<html>" + page) == found


def test_entities_are_no_lines():
    assert lines_by_word("a&#10;b&#13;c&NewLine;d\ne") == {"a": 1, "b": 1, "c": 1, "d": 1, "e": 2}


@given(st.lists(st.sampled_from(["\n", "<br>", "<pre>", "x", "&#10;", "&amp;", "\r\n", "</td>"])))
def test_many_lines_at_once(pieces):
    page = "".join(pieces) + "x"
    source = plain(page)
    places = [n for n, letter in enumerate(source.text) if letter == "x"]
    assert source.lines_of(places) == tuple(source.line(place) for place in places)
    assert source.line(places[-1]) == page.count("\n") + 1


@given(st.text(st.sampled_from("<>/!-&;#ab \nscript\"'="), max_size=60))
def test_any_text_is_plain(page):
    source = plain(page)
    assert source.text.count("\n") <= page.count("\n") + page.count("<")
    assert list(source.starts) == sorted(source.starts)


@pytest.mark.parametrize(
    "data",
    [
        "ä\n".encode(),
        "ä\n".encode("utf-8-sig"),
        "ä\n".encode("utf-16"),
        b"\xfe\xff" + "ä\n".encode("utf-16-be"),
    ],
)
def test_decode(data):
    assert decode(data) == "ä\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"abc\xff", "page: byte 3 is not UTF-8 text; save the page as UTF-8."),
        (b"\x89PNG\r\n", "page: byte 0 is not UTF-8 text; save the page as UTF-8."),
        (b"a\0b", "page: this is a binary file, not text."),
        (
            b" " * (PAGE_LIMIT + 1),
            "page: it has 4,194,305 bytes; the limit is 4,194,304.",
        ),
    ],
)
def test_bytes_that_are_no_page(data, message):
    with pytest.raises(dmlviz.Error) as caught:
        decode(data)
    assert str(caught.value) == message
    assert caught.value.field == "page"


def test_a_text_that_is_too_long():
    with pytest.raises(dmlviz.Error, match="4,194,305"):
        plain(" " * (PAGE_LIMIT + 1))
