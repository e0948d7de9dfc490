/**
 * One program for one machine: PostgreSQL and Kafka as children, and all services in this JVM.
 *
 * <p>{@link io.bivouac.launcher.Launcher} tells the story of a start; each other class is one step of it. Nothing here
 * knows what the services do: it finds out the settings, makes what is missing, and passes properties on.
 */
package io.bivouac.launcher;
