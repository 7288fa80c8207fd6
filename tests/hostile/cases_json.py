"""Cases on the JSON of the Puffin footer: encoding, grammar, shape, integers, repeated members."""

from casebook import PartsBook
from cases_puffin import A, B, file_of
from puffin import DROP, DV, Raw, dump, dv, one_edit, puffin, sketch
from roaring import ranges_of

CREATED = '"created-by":"hostile"'


def build():
    book = PartsBook("puffin", ".puffin")
    encoding(book)
    grammar(book)
    depth(book)
    repeated(book)
    roots(book)
    members(book)
    integers(book)
    maps(book)
    sound(book)
    return book


def footer_with(edit):
    return puffin([dv(A, 1, 3, 5)], edit=edit)


def refuse(book, name, code, edit, why, quirk=None):
    book.reject(f"json_{name}", footer_with(edit), f"{why}.", code, "payload", quirk=quirk)


def encoding(book):
    def raw(old, new):
        return lambda text: text.encode().replace(old, new, 1)

    for name, new, why in (
        ("invalid_utf8", b"host\xffile", "A byte that UTF-8 never has"),
        ("overlong", b"host\xc0\xafile", "A slash in two bytes"),
        ("overlong_3", b"host\xe0\x80\xafile", "A slash in three bytes"),
        ("utf8_surrogate", b"host\xed\xa0\x80ile", "A surrogate encoded in UTF-8"),
        ("above_10ffff", b"host\xf4\x90\x80\x80ile", "A code point above U+10FFFF"),
        ("lone_continuation", b"host\x80ile", "A continuation byte alone"),
        ("cut_character", b"hostil\xe2\x82", "A character that ends too early"),
        ("latin_1", b"h\xf6stile", "Latin-1"),
    ):
        refuse(book, f"encoding_{name}", "footer_utf8", raw(b"hostile", new),
               f"{why}; replaced by U+FFFD, two paths would become one")
    refuse(book, "encoding_cut_at_end", "footer_utf8", lambda t: t.encode() + b"\xe2\x82",
           "A character that the payload's end cuts")
    refuse(book, "encoding_outside_string", "footer_utf8", lambda t: t.encode() + b"\xa0",
           "A Latin-1 space after the object")
    refuse(book, "encoding_utf16", "footer_utf8", lambda t: t.encode("utf-16"),
           "UTF-16 with a byte order mark")
    refuse(book, "encoding_utf16_no_mark", "footer_json", lambda t: t.encode("utf-16-le"),
           "UTF-16 without a byte order mark, which is valid UTF-8 full of NULs")
    refuse(book, "encoding_utf8_mark", "footer_json", lambda t: b"\xef\xbb\xbf" + t.encode(),
           "A UTF-8 byte order mark in front of the object")


def grammar(book):
    for name, edit, why in (
        ("empty", lambda t: "", "Nothing"),
        ("spaces_only", lambda t: "    ", "Nothing but spaces"),
        ("nul_bytes", lambda t: "\0" * 40, "Nothing but NULs"),
        ("cut_1", lambda t: t[:-1], "The last brace is missing"),
        ("cut_half", lambda t: t[: len(t) // 2], "The second half is missing"),
        ("trailing_garbage", lambda t: t + "x", "Garbage after the object"),
        ("trailing_brace", lambda t: t + "}", "A second closing brace"),
        ("two_roots", lambda t: t + t, "Two objects"),
        ("second_root_number", lambda t: t + " 1", "A number after the object"),
        ("nul_padding", lambda t: t + "\0\0\0", "NULs after the object"),
        ("leading_garbage", lambda t: "x" + t, "Garbage before the object"),
        ("form_feed", lambda t: "\f" + t, "A form feed before the object"),
        ("no_break_space", lambda t: t + "\u00a0", "A no-break space after the object"),
        ("nan", one_edit('"snapshot-id":-1', '"snapshot-id":NaN'), "The literal NaN"),
        ("infinity", one_edit('"snapshot-id":-1', '"snapshot-id":-Infinity'),
         "The literal -Infinity"),
        ("comment", one_edit('{"blobs"', '{/* */"blobs"'), "A comment"),
        ("line_comment", lambda t: t + "//", "A comment after the object"),
        ("single_quotes", one_edit('"blobs"', "'blobs'"), "Single quotes"),
        ("unquoted_key", one_edit('"blobs"', "blobs"), "A key without quotes"),
        ("trailing_comma", one_edit(CREATED, CREATED + ","), "A comma after the last member"),
        ("trailing_comma_array", one_edit("[2147483645]", "[2147483645,]"),
         "A comma after an element"),
        ("double_comma", one_edit("[2147483645]", "[2147483645,,1]"), "Two commas"),
        ("missing_colon", one_edit('"fields":', '"fields"'), "A colon is missing"),
        ("missing_comma", one_edit(',"fields"', '"fields"'), "A comma is missing"),
        ("missing_value", one_edit("[2147483645]", ""), "A value is missing"),
        ("wrong_bracket", one_edit("[2147483645]", "[2147483645}"), "A bracket closed by a brace"),
        ("raw_newline", one_edit("hostile", "hos\ntile"), "A raw newline in a string"),
        ("raw_nul", one_edit("hostile", "hos\0tile"), "A raw NUL in a string"),
        ("raw_1f", one_edit("hostile", "hos\x1ftile"), "A raw control character in a string"),
        ("bad_escape", one_edit("hostile", r"hos\tile\q"), "An unknown escape"),
        ("bad_unicode_escape", one_edit("hostile", r"\u12G4"), "An escape with a letter past F"),
        ("short_unicode_escape", one_edit("hostile", r"\u12"), "An escape of two digits"),
        ("escape_at_end", one_edit("hostile", "hostile\\"), "A backslash before the closing quote"),
        ("lone_high_surrogate", one_edit("hostile", r"\ud800"), "Half of an escaped pair"),
        ("lone_low_surrogate", one_edit("hostile", r"\udc00x"), "The other half"),
        ("swapped_surrogates", one_edit("hostile", r"\udc00\ud800"), "A pair in the wrong order"),
        ("capital_true", one_edit('"hostile"', "True"), "A misspelt literal"),
        ("bare_word", one_edit('"hostile"', "hostile"), "A string without quotes"),
    ):
        refuse(book, f"grammar_{name}", "footer_json", edit, why)
    for name, number in (
        ("leading_zero", "04"), ("plus", "+4"), ("hex", "0x4"), ("leading_dot", ".4"),
        ("trailing_dot", "4."), ("bare_minus", "-"), ("bare_exponent", "4e"),
        ("minus_space", "- 4"),
        ("underscore", "4_0"), ("suffix", "4L"), ("double_minus", "--4"),
    ):
        refuse(book, f"number_{name}", "footer_json", one_edit('"offset":4', f'"offset":{number}'),
               f"{number} is no JSON number")


def depth(book):
    def nested(opening, closing, n, core=""):
        value = opening * n + core + closing * n
        return one_edit(CREATED, CREATED + '},"x":' + value + ',"y":{')

    for name, edit, why in (
        ("65", nested("[", "]", 64), "65 levels of nesting, where 64 are allowed"),
        ("objects_5000", nested('{"a":', "}", 5000, "1"), "5000 objects in one another"),
        ("100000", nested("[", "]", 100000), "100000 arrays in one another"),
        ("unclosed_100000", lambda t: "[" * 100000, "100000 arrays that never close"),
        ("unclosed_objects", lambda t: '{"a":' * 20000, "20000 objects that never close"),
    ):
        refuse(book, f"depth_{name}", "footer_json", edit, why)
    file_of(book, "json_depth_64", [dv(A, 1)], "64 levels of nesting in an unknown member.",
            edit=nested("[", "]", 63))
    file_of(book, "json_depth_in_string", [dv(A, 1)], "Brackets in a string are no nesting.",
            edit=one_edit("hostile", "[" * 1000))


def repeated(book):
    for name, edit, why in (
        ("blobs", lambda t: '{"blobs":[],' + t[1:],
         "Two members `blobs`: one of them hides all vectors"),
        ("blobs_last", lambda t: t[:-1] + ',"blobs":[]}', "A second, empty `blobs` at the end"),
        ("offset", one_edit('"offset":4', '"offset":4,"offset":5'), "Two offsets"),
        ("equal_offset", one_edit('"offset":4', '"offset":4,"offset":4'), "Two equal offsets"),
        ("type", one_edit(f'"type":"{DV}"', f'"type":"x","type":"{DV}"'), "Two types"),
        ("cardinality", one_edit('"cardinality":"3"', '"cardinality":"3","cardinality":"4"'),
         "Two cardinalities"),
        ("reference", one_edit('"cardinality"', '"referenced-data-file":"x","cardinality"'),
         "Two data files"),
        ("via_escape", one_edit('"offset":4', r'"offset":4,"o\u0066fset":5'),
         "Two offsets, one spelt with an escape"),
        ("properties", lambda t: t[:-1] + ',"properties":{}}', "Two file properties"),
        ("unknown", lambda t: t[:-1] + ',"x":1,"x":2}', "Two unknown members of one name"),
        ("nested_unknown", lambda t: t[:-1] + ',"x":[{"y":1,"y":2}]}',
         "Two members of one name inside an unknown member"),
        ("empty_name", lambda t: t[:-1] + ',"":1,"":2}', "Two members with an empty name"),
    ):
        refuse(book, f"repeated_{name}", "footer_json", edit,
               f"{why}; readers differ in which they take")


def roots(book):
    for name, text in (
        ("array", "[]"), ("string", '"blobs"'), ("number", "4"), ("null", "null"), ("true", "true"),
        ("empty_object", "{}"), ("blobs_in_array", '[{"blobs":[]}]'),
    ):
        refuse(book, f"root_{name}", "footer_shape", lambda t, text=text: text,
               f"The root is {text} and has no list of blobs")
    for name, value in (("null", "null"), ("object", "{}"), ("string", '"[]"'), ("number", "0"),
                        ("false", "false")):
        refuse(book, f"blobs_{name}", "footer_shape", lambda t, v=value: '{"blobs":' + v + "}",
               f"`blobs` is {value}")
    for name, value in (("null", "null"), ("array", "[]"), ("number", "7"), ("string", '"{}"'),
                        ("empty_object", "{}")):
        refuse(book, f"blob_{name}", "footer_shape", lambda t, v=value: '{"blobs":[' + v + "]}",
               f"A blob is {value}")


def members(book):
    """Required members of a blob, missing or of another type."""
    for member in ("type", "fields", "snapshot-id", "sequence-number", "offset", "length"):
        label = member.replace("-", "_")
        for name, value in (("missing", DROP), ("null", None)):
            layout = puffin([dv(A, 1, 3, 5, change={member: value})])
            book.reject(f"json_{label}_{name}", layout, f"`{member}` is {name}.",
                        "footer_shape", "payload")
    for member, name, value in (
        ("type", "number", 1), ("type", "array", [DV]), ("type", "object", {}),
        ("type", "true", True),
        ("fields", "number", 2147483645), ("fields", "string", "1"), ("fields", "object", {"0": 1}),
        ("fields", "of_strings", ["1"]), ("fields", "of_null", [None]),
        ("fields", "of_arrays", [[1]]),
        ("fields", "of_floats", [Raw("1.0")]), ("fields", "of_booleans", [True]),
        ("fields", "2_31", [1 << 31]), ("fields", "below_int32", [-(1 << 31) - 1]),
        ("fields", "last_of_many", [1] * 500 + ["x"]),
        ("compression-codec", "number", 1), ("compression-codec", "array", []),
        ("compression-codec", "false", False),
    ):
        layout = puffin([dv(A, 1, 3, 5, change={member: value})])
        label = member.replace("-", "_")
        book.reject(f"json_{label}_{name}", layout, f"`{member}` has a value of another type.",
                    "footer_shape", "payload")
    objects = [{"source-field-id": 2147483646}]
    changes = {"fields": objects, "snapshot-id": DROP, "sequence-number": DROP}
    changes["compression-codec"] = "none"
    book.reject("json_velox_footer", puffin([dv(A, 1, 3, 5, change=changes)]),
                "Fields as objects, no ids, codec none: the footer of an early writer.",
                "footer_shape", "payload", quirk="velox_footer",
                tolerant=[ranges_of((1, 3, 5))])
    named = {"fields": objects, "compression-codec": "none"}
    with_text = {"fields": [{"source-field-id": "2147483646"}], "compression-codec": "none"}
    book.reject("json_velox_footer_with_ids", puffin([dv(A, 1, 3, 5, change=named), dv(B, 2)]),
                "Fields as objects in the first blob, with ids; the second is sound.",
                "footer_shape", "payload", quirk="velox_footer",
                tolerant=[ranges_of((1, 3, 5)), ranges_of((2,))])
    textual = puffin([dv(A, 1, 3, 5, change=with_text)])
    book.reject("json_velox_footer_text_id", textual,
                "Fields as objects whose ids are strings: no writer's.",
                "footer_shape", "payload", quirk="velox_footer",
                tolerant_fault=("footer_shape", textual.at("payload")))
    bare = puffin([dv(A, 1, 3, 5, change=changes)])
    vector = bare.data[bare.at("blob0+8") : bare.at("footer-4")]
    entry = dv(A, 1, 3, 5, change=changes)
    entry.data = bytes(vector)
    book.reject("json_velox_footer_bare_vector", puffin([entry]),
                "The same footer over a vector without a frame.", "footer_shape", "payload",
                quirk="velox_footer", tolerant=[ranges_of((1, 3, 5))],
                tolerated={"velox_footer", "bare_bitmap"})
    later = [sketch(b"x"), dv(A, 1), dv(B, 2, change={"length": "46"})]
    book.reject("json_third_blob", puffin(later),
                "Only the third blob has a length of another type.",
                "footer_shape", "payload")


def integers(book):
    """Offset, length and ids are 64-bit integer literals and nothing else."""
    for name, value in (
        ("float", Raw("4.0")), ("exponent", Raw("4e0")), ("string", "4"), ("true", True),
        ("array", [4]),
        ("object", {}), ("2_63", 1 << 63), ("2_64_plus_4", (1 << 64) + 4),
        ("below_int64", -(1 << 63) - 1),
        ("minus_2_64", 4 - (1 << 64)), ("1000_digits", Raw("4" * 1000)), ("1e400", Raw("1e400")),
        ("tiny", Raw("4e-1")), ("long_float", Raw("4." + "0" * 400)),
    ):
        for member in ("offset", "length", "snapshot-id", "sequence-number"):
            short = {"snapshot-id": "snapshot", "sequence-number": "sequence"}.get(member, member)
            if member != "offset" and name in ("tiny", "long_float", "object", "array",
                                               "minus_2_64"):
                continue
            layout = puffin([dv(A, 1, 3, 5, change={member: value})])
            book.reject(f"json_{short}_{name}", layout, f"`{member}` is no 64-bit integer literal.",
                        "footer_shape", "payload")


def maps(book):
    for name, value in (
        ("null", None), ("array", []), ("string", "{}"), ("number", 1), ("number_value", {"a": 1}),
        ("null_value", {"a": None}), ("nested", {"a": {}}), ("true_value", {"a": True}),
    ):
        layout = puffin([dv(A, 1)], properties=value) if name != "null" else footer_with(
            one_edit('"properties":{' + CREATED + "}", '"properties":null'))
        book.reject(f"json_file_properties_{name}", layout,
                    "File properties are no map of strings.",
                    "footer_shape", "payload")
        layout = puffin([dv(A, 1, change={"properties": value})])
        book.reject(f"json_properties_{name}", layout, "Blob properties are no map of strings.",
                    "footer_shape", "payload")
    number = {"referenced-data-file": A, "cardinality": 3}
    book.reject("json_cardinality_number", puffin([dv(A, 1, 3, 5, change={"properties": number})]),
                "The cardinality is a number; properties are strings.", "footer_shape", "payload")


def sound(book):
    def accept(name, why, *entries, **knobs):
        file_of(book, f"json_{name}", list(entries) or [dv(A, 1, 3, 5)], f"{why}.", **knobs)

    accept("spaces", "Blanks wherever JSON allows them",
           edit=lambda t: " \t\r\n" + t.replace(",", " ,\n").replace(":[", " : [") + " \n")
    accept("unknown_members", "Members that a later version may add",
           dv(A, 1, more=',"future":{"a":[1,null,true,"x"]},"offset ":9'),
           edit=lambda t: t[:-1] + ',"version":2}')
    accept("case_variant", "Names are compared exactly: `Offset` is an unknown member",
           dv(A, 1, more=',"Offset":999999,"LENGTH":-1'), edit=lambda t: t[:-1] + ',"Blobs":[]}')
    accept("escaped_names", "Names may be spelt with escapes",
           edit=lambda t: t.replace('"blobs"', r'"bl\u006fbs"').replace('"offset"',
                                                                        r'"\u006fffset"'))
    accept("escaped_slash", "An escaped slash is a slash",
           edit=lambda t: t.replace("s3://", r"s3:\/\/"))
    accept("surrogate_pair", "An escaped pair is one character",
           edit=one_edit("hostile", r"\ud83e\uddca"))
    accept("big_unknown_number", "An unknown member may hold any number",
           edit=lambda t: t[:-1] + ',"x":123456789012345678901234567890,"y":-1.5e300}')
    accept("codec_null_other", "A null codec is none",
           sketch(b"abc", change={"compression-codec": None}))
    accept("properties_empty", "Empty blob properties", sketch(b"abc", properties={}))
    accept("fields_20000", "20000 fields", sketch(b"abc", change={"fields": [7] * 20000}))
    accept("fields_int32_bounds", "The bounds of field ids",
           sketch(b"abc", change={"fields": [-(1 << 31), (1 << 31) - 1]}))
    members = ["properties", "length", "offset", "fields", "type", "sequence-number", "snapshot-id"]
    entry = dv(A, 1, 3, 5)
    values = dict(entry.change, properties=entry.properties, length=len(entry.data), offset=4,
                  fields=[],
                  type=DV)
    values |= {"sequence-number": -1, "snapshot-id": -1}
    accept("order_of_members", "Members may stand in any order", entry,
           edit=lambda t: dump({"properties": {}, "blobs": [{m: values[m] for m in members}]}))
