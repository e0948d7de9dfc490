package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// After a change more of them usually follow, and after a failure the cause may pass.
const (
	pauseAfterChange  = 10 * time.Millisecond
	pauseAfterFailure = 200 * time.Millisecond
)

// world is what the rules of one node depend on.
type world struct {
	podNetwork string
	namespaces map[string]labels.Set
	pods       []*core.Pod
	policies   []*networking.NetworkPolicy
}

// enforcePolicies holds the network policies of a node by nftables: the whole table is written anew, in one transaction,
// whenever a Pod, a namespace or a policy changes. An address in the Pods' network that no living Pod has reaches nobody
// and is reached by nobody. IPv4 alone, and no SCTP.
func enforcePolicies() {
	configuration, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	factory := informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(configuration), 0)
	pods := factory.Core().V1().Pods()
	namespaces := factory.Core().V1().Namespaces()
	policies := factory.Networking().V1().NetworkPolicies()
	changed := make(chan struct{}, 1)
	mark := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	for _, informer := range []cache.SharedIndexInformer{pods.Informer(), namespaces.Informer(), policies.Informer()} {
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { mark() },
			UpdateFunc: func(any, any) { mark() },
			DeleteFunc: func(any) { mark() },
		})
	}
	forever := make(chan struct{})
	factory.Start(forever)
	factory.WaitForCacheSync(forever)
	mark()
	applied := ""
	for range changed {
		now := world{podNetwork: os.Args[1], namespaces: map[string]labels.Set{}}
		all, _ := namespaces.Lister().List(labels.Everything())
		for _, namespace := range all {
			now.namespaces[namespace.Name] = namespace.Labels
		}
		now.pods, _ = pods.Lister().List(labels.Everything())
		now.policies, _ = policies.Lister().List(labels.Everything())
		now.tidy()
		table := now.table()
		if table == applied {
			continue
		}
		program := exec.Command("nft", "-f", "-")
		program.Stdin = strings.NewReader(table)
		if said, err := program.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "nft: %v %s\n%s\n", err, said, table)
			time.Sleep(pauseAfterFailure)
			mark()
			continue
		}
		applied = table
		time.Sleep(pauseAfterChange)
	}
}

// tidy leaves out Pods that have no address of their own, and of two with the same address the older: it has ended.
func (w *world) tidy() {
	newest := map[string]*core.Pod{}
	for _, pod := range w.pods {
		address := pod.Status.PodIP
		if address == "" || pod.Spec.HostNetwork || pod.Status.Phase == core.PodSucceeded || pod.Status.Phase == core.PodFailed {
			continue
		}
		if other, taken := newest[address]; !taken || other.CreationTimestamp.Before(&pod.CreationTimestamp) {
			newest[address] = pod
		}
	}
	w.pods = w.pods[:0:0]
	for _, pod := range newest {
		w.pods = append(w.pods, pod)
	}
	slices.SortFunc(w.pods, func(a, b *core.Pod) int { return strings.Compare(a.Status.PodIP, b.Status.PodIP) })
	slices.SortFunc(w.policies, func(a, b *networking.NetworkPolicy) int { return strings.Compare(string(a.UID), string(b.UID)) })
}

// table is the whole of what nft is given: a chain for each Pod and direction that a policy selects, reached by the Pod's
// address. What a rule allows returns; the end of such a chain drops.
func (w *world) table() string {
	var chains strings.Builder
	var into, from, known []string
	for _, pod := range w.pods {
		address := pod.Status.PodIP
		known = append(known, address)
		name := strings.ReplaceAll(address, ".", "-")
		if rules, selected := w.rules(pod, networking.PolicyTypeIngress); selected {
			fmt.Fprintf(&chains, "  chain into-%s {\n%s    drop\n  }\n", name, rules)
			into = append(into, fmt.Sprintf("%s : jump into-%s", address, name))
		}
		if rules, selected := w.rules(pod, networking.PolicyTypeEgress); selected {
			fmt.Fprintf(&chains, "  chain from-%s {\n%s    drop\n  }\n", name, rules)
			from = append(from, fmt.Sprintf("%s : jump from-%s", address, name))
		}
	}
	elements := ""
	if len(known) > 0 {
		elements = " elements = { " + strings.Join(known, ", ") + " };"
	}
	const usual = "policy accept;\n    ct state established,related accept\n    jump leaving\n"
	return "table inet policies\ndelete table inet policies\ntable inet policies {\n" +
		"  set known { type ipv4_addr;" + elements + " }\n" + chains.String() +
		"  chain leaving {\n    ip saddr " + w.podNetwork + " ip saddr != @known drop\n" + jumps("saddr", from) + "  }\n" +
		"  chain forward {\n    type filter hook forward priority filter; " + usual +
		"    ip daddr " + w.podNetwork + " ip daddr != @known drop\n" + jumps("daddr", into) + "  }\n" +
		"  chain input {\n    type filter hook input priority filter; " + usual + "  }\n}\n"
}

func jumps(field string, places []string) string {
	if len(places) == 0 {
		return ""
	}
	return "    ip " + field + " vmap { " + strings.Join(places, ", ") + " }\n"
}

// rules are what the policies allow a Pod in one direction, and whether any policy selects it there.
func (w *world) rules(pod *core.Pod, direction networking.PolicyType) (string, bool) {
	var rules strings.Builder
	selected := false
	for _, policy := range w.policies {
		if policy.Namespace != pod.Namespace || !selects(&policy.Spec.PodSelector, pod.Labels) ||
			!slices.Contains(policy.Spec.PolicyTypes, direction) {
			continue
		}
		selected = true
		if direction == networking.PolicyTypeIngress {
			for _, rule := range policy.Spec.Ingress {
				for _, peer := range w.peers(policy.Namespace, "saddr", rule.From) {
					peer.target = pod
					peer.allow(&rules, rule.Ports)
				}
			}
			continue
		}
		for _, rule := range policy.Spec.Egress {
			for _, peer := range w.peers(policy.Namespace, "daddr", rule.To) {
				peer.allow(&rules, rule.Ports)
			}
		}
	}
	return rules.String(), selected
}

// peer is one far end of a rule; target is the Pod whose named ports count.
type peer struct {
	match  string
	target *core.Pod
}

func (w *world) peers(namespace, field string, wanted []networking.NetworkPolicyPeer) []peer {
	if len(wanted) == 0 {
		return []peer{{}}
	}
	var peers []peer
	for _, one := range wanted {
		if one.IPBlock != nil {
			if _, block, err := net.ParseCIDR(one.IPBlock.CIDR); err != nil || block.IP.To4() == nil {
				continue
			}
			match := "ip " + field + " " + one.IPBlock.CIDR
			if len(one.IPBlock.Except) > 0 {
				match += " ip " + field + " != { " + strings.Join(one.IPBlock.Except, ", ") + " }"
			}
			peers = append(peers, peer{match: match})
			continue
		}
		for _, pod := range w.pods {
			if w.isMeant(pod, namespace, one) {
				peers = append(peers, peer{"ip " + field + " " + pod.Status.PodIP, pod})
			}
		}
	}
	return peers
}

func (w *world) isMeant(pod *core.Pod, namespace string, wanted networking.NetworkPolicyPeer) bool {
	if wanted.NamespaceSelector == nil && pod.Namespace != namespace {
		return false
	}
	if wanted.NamespaceSelector != nil && !selects(wanted.NamespaceSelector, w.namespaces[pod.Namespace]) {
		return false
	}
	return wanted.PodSelector == nil || selects(wanted.PodSelector, pod.Labels)
}

func (p peer) allow(rules *strings.Builder, ports []networking.NetworkPolicyPort) {
	if len(ports) == 0 {
		fmt.Fprintf(rules, "    %s return\n", p.match)
	}
	for _, port := range ports {
		if match, known := p.port(port); known {
			fmt.Fprintf(rules, "    %s %s return\n", p.match, match)
		}
	}
}

func (p peer) port(port networking.NetworkPolicyPort) (string, bool) {
	protocol := "tcp"
	if port.Protocol != nil {
		protocol = strings.ToLower(string(*port.Protocol))
	}
	switch {
	case port.Port == nil:
		return "meta l4proto " + protocol, true
	case port.Port.StrVal != "":
		return p.named(protocol, port.Port.StrVal)
	case port.EndPort != nil:
		return fmt.Sprintf("%s dport %d-%d", protocol, port.Port.IntVal, *port.EndPort), true
	default:
		return fmt.Sprintf("%s dport %d", protocol, port.Port.IntVal), true
	}
}

func (p peer) named(protocol, name string) (string, bool) {
	if p.target == nil {
		return "", false
	}
	for _, container := range p.target.Spec.Containers {
		for _, port := range container.Ports {
			if port.Name == name && strings.EqualFold(string(port.Protocol), protocol) {
				return fmt.Sprintf("%s dport %d", protocol, port.ContainerPort), true
			}
		}
	}
	return "", false
}

func selects(selector *meta.LabelSelector, set labels.Set) bool {
	matching, err := meta.LabelSelectorAsSelector(selector)
	return err == nil && matching.Matches(set)
}
