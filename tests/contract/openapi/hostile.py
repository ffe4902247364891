"""Texts that break out of JSON, of Velocity or of HTML where anything is left unescaped."""

from __future__ import annotations

HOSTILE = (
    "plain",
    "",
    "it's 'quoted' and \"quoted\"",
    "back\\slash, \\' and \\\" and \\\\",
    "line\nbreak\r\n\tand tab",
    "</script><b>&amp;",
    "\U0001f600 \u00e9 \u65e5\u672c \u2028 \u2029 \ufeff",
    "\x00\x07\x1f\x7f\x80\x9f",
    "$foo ${foo} $!foo $!{foo.bar} $input.body $context.identity.apiKey $util.parseJson('{}')",
    "#set($a = 1) #if(true) x #end ## comment #* comment *# #evaluate('x') #parse('x') #stop #foreach($i in [1])#end",
    "\\$foo \\#set \\\\$foo",
    "{a=b, c=[d]}",
    "\\u0041 \\n \\/ /",
    '"}, "refresh": true, "x": {"y": "',
    "'}, 'refresh': true",
    "'",
    '"',
    "\\",
    "$",
    "#",
)
