package dev.stowage.manager.weka;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** Something to look at: one of a kind, by its name. */
record Key(Kind kind, String name) {

    enum Kind {
        CLIENT,
        CONTAINER,
        DRIVER,
        NODE
    }

    static Key client(HasMetadata client) {
        return new Key(Kind.CLIENT, named(client));
    }

    static Key container(String name) {
        return new Key(Kind.CONTAINER, name);
    }

    static Key driver(String name) {
        return new Key(Kind.DRIVER, name);
    }

    static Key node(String name) {
        return new Key(Kind.NODE, name);
    }

    /** NAMESPACE/NAME */
    static String named(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    String text() {
        return kind + " " + name;
    }

    static Key parse(String text) {
        int border = text.indexOf(' ');
        return new Key(Kind.valueOf(text.substring(0, border)), text.substring(border + 1));
    }
}
