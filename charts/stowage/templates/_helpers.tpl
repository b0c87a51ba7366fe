{{- define "stowage.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "stowage.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
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

{{- define "stowage.groups" -}}
{{- if and (include "stowage.snapshots" .) .Values.sidecars.snapshotter.groups (include "stowage.groupVersion" .) -}}true{{- end -}}
{{- end -}}

{{/* The newest version of group snapshots that the cluster serves and the sidecar knows. */}}
{{- define "stowage.groupVersion" -}}
{{- if .Capabilities.APIVersions.Has "groupsnapshot.storage.k8s.io/v1" -}}groupsnapshot.storage.k8s.io/v1
{{- else if .Capabilities.APIVersions.Has "groupsnapshot.storage.k8s.io/v1beta2" -}}groupsnapshot.storage.k8s.io/v1beta2
{{- else if .Capabilities.APIVersions.Has "groupsnapshot.storage.k8s.io/v1beta1" -}}groupsnapshot.storage.k8s.io/v1beta1
{{- end -}}
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

{{/* The stock sidecars of these versions read VolumeAttributesClasses as v1beta1. Without it they would wait for it for ever. */}}
{{- define "stowage.attributesGate" -}}
{{- if .Capabilities.APIVersions.Has "storage.k8s.io/v1beta1/VolumeAttributesClass" -}},VolumeAttributesClass=true{{- end -}}
{{- end -}}
