package dev.stowage.conformance.hostile;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Texts that have led other programs astray. Those that would make a file if they were obeyed make one with the marker in its name. */
final class HostileTexts {

    private HostileTexts() {}

    /**
     * @param outside a tree that the texts lead to
     * @param marker part of the name of every file that would be made
     */
    static Map<String, String> all(Path outside, String marker) {
        var texts = new LinkedHashMap<String, String>();
        texts.put("parent", "..");
        texts.put("itself", ".");
        texts.put("traversal", "../../outside/" + marker);
        texts.put("traversal inside", "a/../../outside/deep");
        texts.put("absolute", outside.resolve("deep/image").toString());
        texts.put("absolute traversal", outside + "/../outside/deep");
        texts.put("doubled slash", "/" + outside);
        texts.put("backslashes", "..\\..\\outside");
        texts.put("percent-encoded", "%2e%2e%2f%2e%2e%2foutside");
        texts.put("url", "file://" + outside + "/note");
        texts.put("short option", "-rf");
        texts.put("long option", "--help");
        texts.put("option with value", "-o remount,rw");
        texts.put("mount option", "remount,bind,loop=" + outside + "/note");
        texts.put("line break", "vol-1\nvol-2");
        texts.put("carriage return", "vol-1\r\nlevel=error msg=forged");
        texts.put("NUL", "vol-1\0/../outside");
        texts.put("bell and delete", "vol\u0007\u007f");
        texts.put("next line", "vol\u0085vol");
        texts.put("line separator", "vol\u2028vol");
        texts.put("command substitution", "$(touch /tmp/" + marker + ")");
        texts.put("backticks", "`touch /tmp/" + marker + "`");
        texts.put("command list", "x; touch /tmp/" + marker + " #");
        texts.put("pipe and redirection", "x | tee /tmp/" + marker + " > /tmp/" + marker);
        texts.put("quotes", "'\"'; touch /tmp/" + marker);
        texts.put("wildcards", "*?[a-z]{a,b}~");
        texts.put("format", "%s%n%x%1$s{}${x}");
        texts.put("fullwidth traversal", "\uff0e\uff0e\uff0foutside");
        texts.put("division slash", "..\u2215..\u2044outside");
        texts.put("cyrillic look-alike", "v\u043el-1");
        texts.put("right-to-left", "vol\u202egnp.1");
        texts.put("zero width", "vol\u200b-1");
        texts.put("combining", "vo\u0301l");
        texts.put("beyond the basic plane", "vol\ud83d\ude80");
        texts.put("blank", " ");
        texts.put("trailing blank", "vol-1 ");
        texts.put("over-long", "a".repeat(10_000));
        texts.put("over-long traversal", "../".repeat(3_000));
        texts.put("over-long path", "/" + "a".repeat(300));
        texts.put("deep path", "/a".repeat(3_000));
        return texts;
    }
}
