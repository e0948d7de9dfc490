package io.bivouac.sessions.acl;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.rdf4j.model.IRI;
import org.eclipse.rdf4j.model.Model;
import org.eclipse.rdf4j.model.Resource;
import org.eclipse.rdf4j.model.Value;
import org.eclipse.rdf4j.model.impl.SimpleValueFactory;
import org.eclipse.rdf4j.model.vocabulary.RDF;

/** Reads rules out of an ACL's statements. */
public final class AclReader {
    private static final String ACL = "http://www.w3.org/ns/auth/acl#";
    private static final String EVERYONE = "http://xmlns.com/foaf/0.1/Agent";
    private static final IRI AUTHORIZATION = acl("Authorization");

    private final Model statements;
    private final LimitsReader limits;

    private AclReader(Model statements, PodPaths paths) {
        this.statements = statements;
        this.limits = new LimitsReader(statements, paths);
    }

    /** @param owner the resource whose ACL this is */
    public static Acl read(Model statements, String owner, PodPaths paths) {
        var reader = new AclReader(statements, paths);
        var rules = statements.filter(null, RDF.TYPE, AUTHORIZATION).subjects().stream()
                .map(reader::rule)
                .toList();
        return new Acl(owner, rules);
    }

    private Rule rule(Resource subject) {
        var classes = iris(subject, acl("agentClass"));
        var whom = new Rule.Subjects(
                iris(subject, acl("agent")),
                iris(subject, acl("agentGroup")),
                classes.contains(EVERYONE),
                classes.contains(ACL + "AuthenticatedAgent"));
        return new Rule(
                whom,
                iris(subject, acl("accessTo")),
                iris(subject, acl("default")),
                modes(subject),
                origins(subject),
                conditions(subject),
                limits.of(subject));
    }

    private Set<Mode> modes(Resource subject) {
        var modes = EnumSet.noneOf(Mode.class);
        for (var name : iris(subject, acl("mode"))) {
            switch (name) {
                case ACL + "Read" -> modes.add(Mode.READ);
                case ACL + "Write" -> modes.add(Mode.WRITE);
                case ACL + "Append" -> modes.add(Mode.APPEND);
                case ACL + "Control" -> modes.add(Mode.CONTROL);
                default -> {
                    // A mode of somebody else's grants nothing here.
                }
            }
        }
        return modes;
    }

    /** As browsers spell them: without a slash at the end. Text counts too, so that nothing is taken for "none". */
    private Set<String> origins(Resource subject) {
        return statements.filter(subject, acl("origin"), null).objects().stream()
                .map(origin -> origin.stringValue().replaceFirst("/$", ""))
                .collect(Collectors.toUnmodifiableSet());
    }

    private List<Condition> conditions(Resource subject) {
        var conditions = new ArrayList<Condition>();
        for (var node : statements.filter(subject, acl("condition"), null).objects()) {
            conditions.add(node instanceof Resource inner ? condition(inner) : new Condition.Unknown());
        }
        return conditions;
    }

    private Condition condition(Resource node) {
        var said = new HashSet<>(statements.filter(node, null, null).predicates());
        said.remove(RDF.TYPE);
        var types = iris(node, RDF.TYPE);
        if (types.equals(Set.of(ACL + "ClientCondition")) && said.equals(Set.of(acl("client")))) {
            return new Condition.ByClient(iris(node, acl("client")));
        }
        if (types.equals(Set.of(ACL + "IssuerCondition")) && said.equals(Set.of(acl("issuer")))) {
            return new Condition.ByIssuer(iris(node, acl("issuer")));
        }
        return new Condition.Unknown();
    }

    private Set<String> iris(Resource subject, IRI predicate) {
        return statements.filter(subject, predicate, null).objects().stream()
                .filter(Value::isIRI)
                .map(Value::stringValue)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static IRI acl(String name) {
        return SimpleValueFactory.getInstance().createIRI(ACL, name);
    }
}
