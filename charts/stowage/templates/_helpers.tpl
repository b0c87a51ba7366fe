{{- define "stowage.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "stowage.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}

{{/* The driver's name: as its users know it, unless another is given. */}}
{{- define "stowage.driverName" -}}
{{- default (dict "local" "local.stowage.dev" "vsc" "csi.zadara.com" | dig .Values.backend "") .Values.driverName -}}
{{- end -}}

{{/* Labels of everything. */}}
{{- define "stowage.labels" -}}
app.kubernetes.io/name: stowage
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* What selects the pods of a component: never changes. Call with (dict "root" $ "component" "node"). */}}
{{- define "stowage.selector" -}}
app.kubernetes.io/name: stowage
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* A container that needs nothing of its host. */}}
{{- define "stowage.confined" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{/* Whether the cluster knows the resources of the snapshot controller. */}}
{{- define "stowage.snapshots" -}}
{{- if and .Values.sidecars.snapshotter.enabled (.Capabilities.APIVersions.Has "snapshot.storage.k8s.io/v1") -}}true{{- end -}}
{{- end -}}

{{/* Snapshots of several volumes at one instant; arrays have none. */}}
{{- define "stowage.groups" -}}
{{- if and (eq .Values.backend "local") (include "stowage.snapshots" .) .Values.sidecars.snapshotter.groups (include "stowage.groupVersion" .) -}}true{{- end -}}
{{- end -}}

{{/*
The version of group snapshots that the sidecar uses, by its own version, if the cluster serves it. A sidecar that is told of them waits for
them before it makes any snapshot.
*/}}
{{- define "stowage.groupVersion" -}}
{{- $tag := regexFind ":v?[0-9]+[.][0-9]+[.][0-9]+" .Values.sidecars.snapshotter.image | trimPrefix ":" | trimPrefix "v" | default "8.3.0" -}}
{{- $used := "v1beta1" -}}
{{- if semverCompare ">=8.6.0" $tag -}}{{- $used = "v1" -}}
{{- else if semverCompare ">=8.4.0" $tag -}}{{- $used = "v1beta2" -}}
{{- end -}}
{{- $version := printf "groupsnapshot.storage.k8s.io/%s" $used -}}
{{- if .Capabilities.APIVersions.Has $version -}}{{ $version }}{{- end -}}
{{- end -}}

{{/* Who and where a container of the controller is. */}}
{{- define "stowage.identity" -}}
- name: NAMESPACE
  valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
{{- end -}}

{{- define "stowage.sockets" -}}
- {name: csi, mountPath: /csi}
- {name: tmp, mountPath: /tmp}
{{- end -}}

{{/* How long a sidecar waits for an answer: an array may take its time. */}}
{{- define "stowage.timeout" -}}
{{- eq .Values.backend "vsc" | ternary "180s" "60s" -}}
{{- end -}}

{{/* What differs between backends is in a file of its own for each. Call with (dict "root" $ "part" "nodeArguments"). */}}
{{- define "stowage.backend" -}}
{{- include (printf "stowage.%s.%s" .root.Values.backend .part) .root -}}
{{- end -}}

{{/* The stock sidecars of these versions read VolumeAttributesClasses as v1beta1. Without it they would wait for it for ever. */}}
{{- define "stowage.attributesGate" -}}
{{- if .Capabilities.APIVersions.Has "storage.k8s.io/v1beta1/VolumeAttributesClass" -}},VolumeAttributesClass=true{{- end -}}
{{- end -}}

{{/* What whoever installs it is told of storage clients, with either kind of release. */}}
{{- define "stowage.clients.notes" }}
{{- if .Values.manager.clients }}

Storage clients come as WekaClient objects; docs/roles/clients.md shows them.

  kubectl get wekaclients,wekacontainers --all-namespaces
{{- if .Values.csi.installationEnabled }}

Their drivers run in the namespace {{ .Values.csi.namespace }}, which has to be there.
{{- else }}

They have no drivers: csi.installationEnabled is false.
{{- end }}
{{- end }}
{{- end }}
