{{- define "bivouac.name" -}}
{{- if contains "bivouac" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-bivouac" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "bivouac.labels" -}}
app.kubernetes.io/name: bivouac
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "bivouac.selector" -}}
app.kubernetes.io/name: bivouac
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "bivouac.image" -}}
{{- $image := .Values.image -}}
{{- with $image.registry }}{{ trimSuffix "/" . }}/{{ end }}{{ $image.repository }}
{{- if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "bivouac.agentImage" -}}
{{- with .Values.image.registry }}{{ trimSuffix "/" . }}/{{ end }}bivouac-agent:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "bivouac.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "bivouac.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "bivouac.keys" -}}
{{- .Values.keys.existingSecret | default (printf "%s-keys" (include "bivouac.name" .)) }}
{{- end }}

{{- define "bivouac.namespace" -}}
{{- .Values.sandboxes.namespace | default .Release.Namespace }}
{{- end }}

{{- define "bivouac.externalDatabase" -}}
{{- if or .Values.database.url .Values.database.existingSecret }}yes{{ end }}
{{- end }}

{{- define "bivouac.checked" -}}
{{- if and .Values.services.apart (not (and (include "bivouac.externalDatabase" .) .Values.kafka.bootstrap)) }}
{{- fail "services.apart needs database.url (or database.existingSecret) and kafka.bootstrap: processes apart cannot share an embedded one." }}
{{- end }}
{{- if and .Values.functions.keda.enabled (not .Values.functions.keda.prometheus) }}
{{- fail "functions.keda needs functions.keda.prometheus, the address of a Prometheus that scrapes the functions." }}
{{- end }}
{{- end }}

{{- define "bivouac.publicUrl" -}}
{{- if .Values.publicUrl }}{{ .Values.publicUrl }}
{{- else if .Values.ingress.enabled }}{{ ternary "https" "http" (ne .Values.ingress.tlsSecret "") }}://{{ .Values.ingress.host }}
{{- else }}http://{{ include "bivouac.name" . }}.{{ .Release.Namespace }}.svc{{ with .Values.service.port }}{{ if ne (int .) 80 }}:{{ . }}{{ end }}{{ end }}
{{- end }}
{{- end }}

{{- /* What every process is told. Argument: the root context and the service's name. */ -}}
{{- define "bivouac.env" -}}
{{- $root := .root -}}
- {name: BIVOUAC_SERVICES, value: {{ .services | quote }}}
- {name: BIVOUAC_HOST, value: 0.0.0.0}
- {name: BIVOUAC_PORT, value: "8080"}
- {name: BIVOUAC_GATEWAY_PORT, value: {{ $root.Values.service.gatewayPort | quote }}}
- {name: BIVOUAC_LOG, value: stdout}
- {name: BIVOUAC_DATA_DIR, value: /var/lib/bivouac}
- {name: BIVOUAC_CACHE_DIR, value: /var/lib/bivouac/cache}
- {name: BIVOUAC_PUBLIC_URL, value: {{ include "bivouac.publicUrl" $root | quote }}}
- {name: BIVOUAC_HOSTS, value: {{ printf "%s,%s.%s,%s.%s.svc" (include "bivouac.name" $root) (include "bivouac.name" $root) $root.Release.Namespace (include "bivouac.name" $root) $root.Release.Namespace | quote }}}
- {name: BIVOUAC_RUNTIME, value: {{ $root.Values.runtime | quote }}}
- {name: BIVOUAC_NFS, value: "off"}
{{- with $root.Values.previewDomain }}
- {name: BIVOUAC_PREVIEW_DOMAIN, value: {{ . | quote }}}
{{- end }}
- name: BIVOUAC_HOST_NAME
{{- if eq $root.Values.runtime "kubernetes" }}
  # Any relay of the release looks after any Pod.
  value: {{ include "bivouac.name" $root | quote }}
{{- else }}
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
{{- end }}
{{- if eq $root.Values.runtime "kubernetes" }}
- {name: BIVOUAC_KUBERNETES_NAMESPACE, value: {{ include "bivouac.namespace" $root | quote }}}
- {name: BIVOUAC_KUBERNETES_RELAYS, value: {{ printf "%s-agents.%s.svc:50051" (include "bivouac.name" $root) $root.Release.Namespace | quote }}}
- {name: BIVOUAC_KUBERNETES_RELAY_PODS, value: bivouac/relay=true}
- {name: BIVOUAC_KUBERNETES_IMAGE, value: {{ $root.Values.sandboxes.image | quote }}}
- {name: BIVOUAC_KUBERNETES_AGENT_IMAGE, value: {{ $root.Values.sandboxes.agentImage | default (include "bivouac.agentImage" $root) | quote }}}
- {name: BIVOUAC_KUBERNETES_WORKSPACE, value: {{ $root.Values.sandboxes.workspace | quote }}}
{{- end }}
- {name: BIVOUAC_AGENT_PORT, value: "50051"}
- name: POD_IP
  valueFrom: {fieldRef: {fieldPath: status.podIP}}
- {name: BIVOUAC_AGENT_ADDRESS, value: "$(POD_IP):50051"}
{{- range $name, $key := dict "BIVOUAC_API_KEY" "api-key" "BIVOUAC_TOKEN_KEY" "token-key" "BIVOUAC_ENCRYPTION_KEY" "encryption-key" }}
- name: {{ $name }}
  valueFrom: {secretKeyRef: {name: {{ include "bivouac.keys" $root }}, key: {{ $key }}}}
{{- end }}
{{- if include "bivouac.externalDatabase" $root }}
- name: BIVOUAC_DATABASE_URL
  valueFrom: {secretKeyRef: {name: {{ $root.Values.database.existingSecret | default (printf "%s-database" (include "bivouac.name" $root)) }}, key: url}}
{{- end }}
{{- with $root.Values.kafka.bootstrap }}
- {name: BIVOUAC_KAFKA_BOOTSTRAP, value: {{ . | quote }}}
{{- end }}
{{- if $root.Values.kafka.existingSecret }}
- {name: BIVOUAC_KAFKA_PROPERTIES, value: /etc/bivouac/kafka/kafka.properties}
{{- end }}
{{- range $name, $value := $root.Values.settings }}
- {name: {{ $name }}, value: {{ $value | quote }}}
{{- end }}
{{- with $root.Values.env }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Arguments: root, name, services, values (of the service), privileged, drain, data (name of the volume). */ -}}
{{- define "bivouac.container" -}}
name: server
image: {{ include "bivouac.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
env:
  {{- include "bivouac.env" (dict "root" .root "services" .services "name" .name) | nindent 2 }}
ports:
  - {name: http, containerPort: 8080}
  - {name: gateway, containerPort: {{ .root.Values.service.gatewayPort }}}
  - {name: agents, containerPort: 50051}
startupProbe:
  httpGet: {path: /health, port: http}
  periodSeconds: 2
  failureThreshold: 90
livenessProbe:
  httpGet: {path: /health, port: http}
  periodSeconds: 10
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /ready, port: http}
  periodSeconds: 5
  timeoutSeconds: 5
{{- with .drain }}
lifecycle:
  preStop:
    exec: {command: [sleep, {{ . | quote }}]}
{{- end }}
resources:
  {{- toYaml .values.resources | nindent 2 }}
securityContext:
{{- if .privileged }}
  privileged: true
  runAsUser: 0
{{- else }}
  allowPrivilegeEscalation: false
  runAsNonRoot: true
  capabilities: {drop: [ALL]}
  seccompProfile: {type: RuntimeDefault}
{{- end }}
volumeMounts:
  - {name: data, mountPath: /var/lib/bivouac}
  - {name: temporary, mountPath: /tmp}
{{- if .root.Values.kafka.existingSecret }}
  - {name: kafka, mountPath: /etc/bivouac/kafka, readOnly: true}
{{- end }}
{{- end }}

{{- define "bivouac.pod" -}}
serviceAccountName: {{ include "bivouac.serviceAccount" .root }}
{{- /* Only a relay speaks to the API server. */}}
automountServiceAccountToken: {{ and (eq .root.Values.runtime "kubernetes") (has .name (list "server" "relay")) }}
terminationGracePeriodSeconds: 40
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  fsGroup: 10001
{{- if not .privileged }}
  runAsUser: 10001
  runAsGroup: 10001
{{- end }}
{{- with .root.Values.server.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.server.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.server.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - {{- include "bivouac.container" . | nindent 4 }}
volumes:
{{- if not .claim }}
  - {name: data, emptyDir: {}}
{{- end }}
  - {name: temporary, emptyDir: {}}
{{- if .root.Values.kafka.existingSecret }}
  - {name: kafka, secret: {secretName: {{ .root.Values.kafka.existingSecret }}}}
{{- end }}
{{- end }}

{{- define "bivouac.annotations" -}}
{{- /* A changed Secret of ours starts the processes anew. */ -}}
checksum/database: {{ .root.Values.database.url | sha256sum | trunc 16 }}
{{- with .root.Values.server.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end }}
