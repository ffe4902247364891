// Renders mapping templates with Apache Velocity and Commons Lang, the libraries behind API Gateway's.
//
// A line of standard input is a template, a body in JSON, the id of the caller's key and a trace id, which may be missing. A line of standard output
// is the text, the status (null if it was not set) and each header that was set. All but the names are in base64.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang.StringEscapeUtils;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;
import org.apache.velocity.runtime.log.NullLogChute;

public class Render {
    public static class Util {
        public String escapeJavaScript(String text) { return StringEscapeUtils.escapeJavaScript(text); }
        public Object parseJson(String text) { return new Json(text).value(); }
    }

    public static class Input {
        private final Object value;
        public Input(String body) { value = new Json(body).value(); }
        // The body of a link stands for its query string: each name with the list of its values.
        public Map<String, Object> params() {
            Map<String, Object> last = new LinkedHashMap<>();
            ((Map<?, ?>) value).forEach((name, values) -> last.put((String) name, ((List<?>) values).get(((List<?>) values).size() - 1)));
            return Map.of("querystring", last);
        }
        public String json(String path) { return Json.write(path(path)); }
        public Object path(String path) {
            Object found = value;
            for (String name : path.substring(1).split("\\."))
                if (!name.isEmpty()) found = found instanceof Map ? ((Map<?, ?>) found).get(name) : null;
            return found;
        }
    }

    static class Json {
        private final String text;
        private int at = 0;
        Json(String text) { this.text = text; }

        Object value() {
            char first = peek();
            if (first == '{') {
                Map<String, Object> members = new LinkedHashMap<>();
                for (boolean more = opened('}'); more; more = next(",")) {
                    String name = string();
                    next(":");
                    members.put(name, value());
                }
                return members;
            }
            if (first == '[') {
                List<Object> items = new ArrayList<>();
                for (boolean more = opened(']'); more; more = next(",")) items.add(value());
                return items;
            }
            if (first == '"') return string();
            int start = at;
            while (at < text.length() && "+-.0123456789abcdefghijklmnopqrstuvwxyzE".indexOf(text.charAt(at)) >= 0) at++;
            String word = text.substring(start, at);
            if (word.equals("null")) return null;
            if (word.equals("true") || word.equals("false")) return Boolean.valueOf(word);
            if (word.matches("-?[0-9]{1,9}")) return Integer.valueOf(word);
            return Double.valueOf(word);
        }

        private char peek() {
            while (" \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return text.charAt(at);
        }

        // Step over an opening bracket; false, behind its closing one, if nothing is between them.
        private boolean opened(char closing) {
            at++;
            if (peek() != closing) return true;
            at++;
            return false;
        }

        // Step over one of these characters; false, behind it, at the end of an object or a list.
        private boolean next(String expected) {
            char found = peek();
            if (expected.indexOf(found) >= 0) { at++; return true; }
            if ("}]".indexOf(found) < 0) throw new IllegalArgumentException("no JSON at " + at);
            at++;
            return false;
        }

        private String string() {
            StringBuilder made = new StringBuilder();
            if (peek() != '"') throw new IllegalArgumentException("no JSON at " + at);
            for (at++; text.charAt(at) != '"'; at++) {
                if (text.charAt(at) != '\\') { made.append(text.charAt(at)); continue; }
                char escaped = text.charAt(++at);
                if (escaped == 'u') { made.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16)); at += 4; }
                else made.append("nrtbf".indexOf(escaped) < 0 ? escaped : "\n\r\t\b\f".charAt("nrtbf".indexOf(escaped)));
            }
            at++;
            return made.toString();
        }

        static String write(Object value) {
            List<String> parts = new ArrayList<>();
            if (value instanceof Map) {
                ((Map<?, ?>) value).forEach((name, each) -> parts.add(write(name) + ":" + write(each)));
                return "{" + String.join(",", parts) + "}";
            }
            if (value instanceof List) {
                ((List<?>) value).forEach(each -> parts.add(write(each)));
                return "[" + String.join(",", parts) + "]";
            }
            if (!(value instanceof String)) return String.valueOf(value);
            StringBuilder made = new StringBuilder("\"");
            for (char each : ((String) value).toCharArray()) {
                int known = "\n\r\t\b\f\"\\".indexOf(each);
                if (known >= 0) made.append('\\').append("nrtbf\"\\".charAt(known));
                else if (each < ' ') made.append(String.format("\\u%04x", (int) each));
                else made.append(each);
            }
            return made.append('"').toString();
        }
    }

    static String decoded(String field) {
        return new String(Base64.getDecoder().decode(field), java.nio.charset.StandardCharsets.UTF_8);
    }

    static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    public static void main(String[] unused) throws IOException {
        VelocityEngine engine = new VelocityEngine();
        engine.setProperty("runtime.log.logsystem.class", NullLogChute.class.getName());
        engine.init();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split(" ");
            Map<String, Object> header = new LinkedHashMap<>(), override = new LinkedHashMap<>(), context = new LinkedHashMap<>();
            override.put("header", header);
            context.put("responseOverride", override);
            context.put("identity", Map.of("apiKeyId", decoded(fields[2])));
            if (fields.length > 3) context.put("xrayTraceId", decoded(fields[3]));
            VelocityContext variables = new VelocityContext();
            Input input = new Input(decoded(fields[1]));
            variables.put("input", input);
            if (decoded(fields[0]).contains("multivaluequerystring"))
                variables.put("method", Map.of("request", Map.of("multivaluequerystring", input.path("$"))));
            variables.put("util", new Util());
            variables.put("context", context);
            StringWriter text = new StringWriter();
            engine.evaluate(variables, text, "template", decoded(fields[0]));
            StringBuilder row = new StringBuilder(encoded(text.toString()) + " " + override.get("status"));
            header.forEach((name, value) -> row.append(" ").append(name).append("=").append(encoded(value.toString())));
            System.out.println(row);
        }
    }
}
