package io.bivouac.agentlink;

import io.micronaut.core.annotation.Nullable;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues the certificates by which relays prove themselves to agents and to each other. Immutable. */
record Authority(X509Certificate certificate, PrivateKey key) {
    /** The name that every relay's certificate has; agents and relays compare it, whatever address they dialled. */
    static final String RELAY_NAME = "relay.bivouac.internal";

    private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);
    private static final Duration AUTHORITY_LASTS = Duration.ofDays(20 * 365);

    /** A relay gets a new one with every start. */
    private static final Duration RELAY_LASTS = Duration.ofDays(2 * 365);

    private static final int SERIAL_BITS = 127;

    /** A certificate with its key. */
    record Identity(X509Certificate certificate, PrivateKey key) {}

    static Authority make() {
        try {
            var keys = newKeys();
            var name = new X500Principal("CN=Bivouac relays");
            var builder = builder(name, name, keys.getPublic(), AUTHORITY_LASTS);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
            builder.addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
            return new Authority(signed(builder, keys.getPrivate()), keys.getPrivate());
        } catch (GeneralSecurityException | OperatorCreationException | IOException impossible) {
            throw new IllegalStateException("cannot make an authority", impossible);
        }
    }

    /** @param host a name or an address that the relay is also reached at; null for none */
    Identity issue(RelayId relay, @Nullable String host) {
        try {
            var keys = newKeys();
            var builder = builder(
                    certificate.getSubjectX500Principal(),
                    new X500Principal("CN=" + relay),
                    keys.getPublic(),
                    RELAY_LASTS);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
                KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
            }));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(certificate));
            builder.addExtension(Extension.subjectAlternativeName, false, names(host));
            return new Identity(signed(builder, key), keys.getPrivate());
        } catch (GeneralSecurityException | OperatorCreationException | IOException refused) {
            throw new IllegalStateException("cannot issue a relay's certificate: " + refused.getMessage(), refused);
        }
    }

    private static GeneralNames names(@Nullable String host) {
        var names = new ArrayList<GeneralName>();
        names.add(new GeneralName(GeneralName.dNSName, RELAY_NAME));
        if (host != null) {
            boolean number = host.contains(":") || host.matches("[0-9.]+");
            names.add(new GeneralName(number ? GeneralName.iPAddress : GeneralName.dNSName, host));
        }
        return new GeneralNames(names.toArray(GeneralName[]::new));
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static JcaX509v3CertificateBuilder builder(
            X500Principal issuer, X500Principal subject, PublicKey key, Duration lasts) {
        var now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, new SecureRandom()),
                Date.from(now.minus(CLOCKS_DIFFER)),
                Date.from(now.plus(lasts)),
                subject,
                key);
    }

    private static X509Certificate signed(JcaX509v3CertificateBuilder builder, PrivateKey key)
            throws OperatorCreationException, GeneralSecurityException {
        var algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC", "ECDSA" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        var signer = new JcaContentSignerBuilder(algorithm).build(key);
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }

    // ---- PEM ---------------------------------------------------------------------------------------------

    String certificatePem() {
        return pem(certificate);
    }

    String keyPem() {
        try {
            return pem(new JcaPKCS8Generator(key, null));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String pem(Object content) {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(content);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
        return text.toString();
    }

    static Authority of(String certificatePem, String keyPem) throws IOException, GeneralSecurityException {
        return new Authority(readCertificate(certificatePem), readKey(keyPem));
    }

    static X509Certificate readCertificate(String pem) throws IOException, GeneralSecurityException {
        try (var parser = new PEMParser(new StringReader(pem))) {
            if (parser.readObject() instanceof X509CertificateHolder holder) {
                return new JcaX509CertificateConverter().getCertificate(holder);
            }
        }
        throw new IOException("expected a certificate in PEM");
    }

    private static PrivateKey readKey(String pem) throws IOException {
        try (var parser = new PEMParser(new StringReader(pem))) {
            return switch (parser.readObject()) {
                case PrivateKeyInfo key -> new JcaPEMKeyConverter().getPrivateKey(key);
                case PEMKeyPair keys -> new JcaPEMKeyConverter().getPrivateKey(keys.getPrivateKeyInfo());
                case null, default -> throw new IOException("expected a private key in PEM, not encrypted");
            };
        }
    }
}
