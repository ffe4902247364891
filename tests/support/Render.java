import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.stream.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang.StringEscapeUtils;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;
import org.apache.velocity.runtime.RuntimeConstants;
import org.apache.velocity.runtime.log.NullLogChute;

/**
 * Renders mapping templates on Apache Velocity with the variables of API Gateway: a line of JSON in, a line out.
 *
 * A request has template, body, context, and may have params and stageVariables; a response has text and overrides,
 * or error. https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-mapping-template-reference.html
 */
public class Render {
    static final Gson GSON = new GsonBuilder()
        .disableHtmlEscaping()
        .serializeNulls()
        .setObjectToNumberStrategy(ToNumberPolicy.LAZILY_PARSED_NUMBER) // numbers stay as they are written
        .create();

    @SuppressWarnings("unchecked")
    public static void main(String[] arguments) throws IOException {
        VelocityEngine engine = new VelocityEngine();
        engine.setProperty(RuntimeConstants.RUNTIME_LOG_LOGSYSTEM, new NullLogChute());
        engine.init();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream responses = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            responses.println(GSON.toJson(render(engine, GSON.fromJson(line, Map.class))));
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> render(VelocityEngine engine, Map<String, Object> request) {
        Map<String, Object> overrides = new Overrides();
        overrides.put("header", new Overrides());
        Map<String, Object> context = (Map<String, Object>) request.get("context");
        context.put("responseOverride", overrides);
        VelocityContext variables = new VelocityContext();
        variables.put("input", new Input((String) request.get("body"), (Map<String, Object>) request.get("params")));
        variables.put("util", new Util());
        variables.put("context", context);
        variables.put("stageVariables", request.get("stageVariables"));
        StringWriter text = new StringWriter();
        try {
            engine.evaluate(variables, text, "template", (String) request.get("template"));
            return Map.of("text", text.toString(), "overrides", overrides);
        } catch (RuntimeException error) {
            return Map.of("error", error.toString());
        }
    }

    /** Reads one value by a lenient parser, which ignores all that follows it. */
    static Object parse(String json) {
        try {
            return GSON.getAdapter(Object.class).read(new JsonReader(new StringReader(json)));
        } catch (IOException error) {
            throw new IllegalArgumentException(error);
        }
    }

    /** Refuses to set an override twice: API Gateway then responds with 5XX. */
    static class Overrides extends LinkedHashMap<String, Object> {
        @Override
        public Object put(String name, Object value) {
            if (containsKey(name)) {
                throw new IllegalStateException(name + " was set before");
            }
            return super.put(name, value);
        }
    }

    /** The variable $input. */
    public static class Input {
        final String body;
        final Map<String, Object> params;

        Input(String body, Map<String, Object> params) {
            this.body = body;
            this.params = params;
        }

        public String getBody() {
            return body;
        }

        /** Returns the value at `$` or `$.name`; a missing one is null. */
        public Object path(String expression) {
            Object value = parse(body);
            for (String name : expression.replaceFirst("^\\$\\.?", "").split("\\.")) {
                value = name.isEmpty() ? value : value instanceof Map ? ((Map<?, ?>) value).get(name) : null;
            }
            return value;
        }

        public String json(String expression) {
            return GSON.toJson(path(expression));
        }

        public Object params() {
            return params;
        }

        /** Looks for a parameter in the path, the query string and the headers, in this order. */
        public Object params(String name) {
            for (String place : List.of("path", "querystring", "header")) {
                Map<?, ?> given = (Map<?, ?>) params.get(place);
                if (given != null && given.containsKey(name)) {
                    return given.get(name);
                }
            }
            return "";
        }
    }

    /** The variable $util. */
    public static class Util {
        public String escapeJavaScript(String text) {
            return StringEscapeUtils.escapeJavaScript(text);
        }

        public Object parseJson(String text) {
            return parse(text);
        }

        public String urlEncode(String text) {
            return URLEncoder.encode(text, StandardCharsets.UTF_8);
        }

        public String urlDecode(String text) {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        }

        public String base64Encode(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }

        public String base64Decode(String text) {
            return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        }
    }
}
