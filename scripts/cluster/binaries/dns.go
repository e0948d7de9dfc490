package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
)

// Only the plugins that a cluster's own names need, in the order in which a query passes them.
func init() {
	dnsserver.Directives = []string{"bind", "health", "errors", "cache", "kubernetes"}
}
