package io.bivouac.sandboxio.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyRequestTest {
    @ParameterizedTest
    @CsvSource({
        "CONNECT example.org:443 HTTP/1.1,           example.org:443",
        "CONNECT EXAMPLE.org.:8443 HTTP/1.0,         example.org:8443",
        "CONNECT [2001:db8::1]:443 HTTP/1.1,         [2001:db8:0:0:0:0:0:1]:443",
        "GET http://example.org/a HTTP/1.1,          example.org:80",
        "POST HTTP://example.org:8080?x=1 HTTP/1.1,  example.org:8080",
        "GET http://203.0.113.7 HTTP/1.1,            203.0.113.7:80",
    })
    void theRequestLineSaysWhereToAndNothingElseDoes(String line, String target) throws EgressFailed {
        var request = ProxyRequest.parse(line + "\r\nHost: other.example:1\r\n\r\n");
        assertThat(request.target()).hasToString(target);
    }

    @Test
    void aPlainRequestGoesOnWithoutWhatWasMeantForTheProxy() throws EgressFailed {
        var request = ProxyRequest.parse("""
                POST http://example.org:8080/a?b=c HTTP/1.1
                Host: other.example
                Proxy-Authorization: Basic eDp5
                Connection: keep-alive, X-Hop, Content-Length
                X-Hop: 1
                Keep-Alive: 5
                Content-Length: 3
                Accept:   */*

                """.replace("\n", "\r\n"));
        assertThat(request.head()).isEqualTo("""
                POST /a?b=c HTTP/1.1
                Host: example.org:8080
                Content-Length: 3
                Accept: */*
                Connection: close

                """.replace("\n", "\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONNECT example.org HTTP/1.1",
                "CONNECT example.org:443",
                "CONNECT example.org:443 HTTP/2.0",
                "CONNECT  example.org:443 HTTP/1.1",
                "CONNECT example.org:443 evil.example:443 HTTP/1.1",
                "CONNECT example.org:443@evil.example:443 HTTP/1.1",
                "CONNECT evil.example#example.org:443 HTTP/1.1",
                "CONNECT evil.example%00.example.org:443 HTTP/1.1",
                "CONNECT https://example.org:443 HTTP/1.1",
                "CONNECT example.org:443\rX HTTP/1.1",
                "CONNECT example.org:443\nHost: evil HTTP/1.1",
                "CONNECT example.org:443\u0000 HTTP/1.1",
                "CONNECT 2130706433:80 HTTP/1.1",
                "CONNECT 0x7f.0.0.1:80 HTTP/1.1",
                "CONNECT 0177.0.0.1:80 HTTP/1.1",
                "CONNECT 127.1:80 HTTP/1.1",
                "CONNECT [::1%25lo]:80 HTTP/1.1",
                "connect example.org:443 HTTP/1.1",
                "GET / HTTP/1.1",
                "GET https://example.org/ HTTP/1.1",
                "GET http:///path HTTP/1.1",
                "GET http://user@example.org/ HTTP/1.1",
                "GET http://example.org/#part HTTP/1.1",
                "GET ftp://example.org/ HTTP/1.1",
                "GET http://example.org/ HTTP/1.1\r\n folded: line",
                "GET http://example.org/ HTTP/1.1\r\nNo colon",
                "GET http://example.org/ HTTP/1.1\r\nSpace : x",
                "GET http://example.org/ HTTP/1.1\r\nX: a\nY: b",
                "GET http://example.org/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
                "GET http://example.org/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
                "",
            })
    void whatCouldBeReadInTwoWaysIsRefused(String head) {
        assertThatThrownBy(() -> ProxyRequest.parse(head + "\r\n\r\n"))
                .isInstanceOfSatisfying(
                        EgressFailed.class,
                        failed -> assertThat(failed.result()).isEqualTo(EgressResult.MALFORMED));
    }

    @Test
    void anAnswerSaysItInItsStatusLineAndInItsText() {
        var failed = new EgressFailed(EgressResult.REFUSED, "This sandbox may not reach x:1; allow it");
        assertThat(new String(failed.answer()))
                .startsWith("HTTP/1.1 403 This sandbox may not reach x:1\r\n")
                .endsWith("\r\n\r\nBivouac: This sandbox may not reach x:1; allow it\n");
    }
}
