{{/* The backend `local`: a directory or a disk of the node. */}}

{{- define "stowage.local.controllerArguments" -}}
- --pools=cluster
- --attach-limit={{ .Values.local.attachLimit }}
{{- end -}}

{{- define "stowage.local.controllerMounts" -}}
{{- end -}}

{{- define "stowage.local.controllerVolumes" -}}
{{- end -}}

{{- define "stowage.local.provisionerArguments" -}}
- --enable-capacity
- --capacity-ownerref-level=2
- --capacity-poll-interval=10s
- --feature-gates=Topology=true{{ include "stowage.attributesGate" . }}
{{- end -}}

{{- define "stowage.local.controllerRules" -}}
# The driver asks the nodes for volumes and snapshots, and tells of their health.
- apiGroups: [local.stowage.dev]
  resources: [localvolumes, localsnapshots, localgroupsnapshots]
  verbs: [get, list, watch, create, update, delete]
- apiGroups: [local.stowage.dev]
  resources: [localvolumes/status]
  verbs: [patch]
- apiGroups: [local.stowage.dev]
  resources: [localpools]
  # `update` for the label of a pool that was made before pools had one.
  verbs: [list, watch, update]
{{- end -}}

{{- define "stowage.local.nodePod" -}}
{{- end -}}

{{- define "stowage.local.nodeArguments" -}}
- --pools=cluster
{{- with .Values.local.pool }}
- --pool={{ default .directory .device }}
{{- with .imageSize }}
- --pool-image={{ . }}
{{- end }}
{{- if .device }}
- --pool-mount-dir={{ .directory }}
{{- end }}
- --overcommit={{ .overcommit }}
{{- with .reserve }}
- --pool-reserve={{ . }}
{{- end }}
{{- end }}
- --attach-limit={{ .Values.local.attachLimit }}
{{- end -}}

{{- define "stowage.local.nodeMounts" -}}
# A pool image or disk is mounted here; the mount has to outlive the container, as the volumes in it do.
- {name: pool, mountPath: {{ .Values.local.pool.directory }}, mountPropagation: Bidirectional}
{{- end -}}

{{- define "stowage.local.nodeVolumes" -}}
- name: pool
  hostPath: {path: {{ .Values.local.pool.directory }}, type: DirectoryOrCreate}
{{- end -}}

{{- define "stowage.local.nodeRules" -}}
- apiGroups: [local.stowage.dev]
  resources: [localvolumes, localsnapshots, localgroupsnapshots]
  # `patch` for the finalizer that keeps a resource until its data is gone.
  verbs: [get, list, watch, patch]
- apiGroups: [local.stowage.dev]
  resources: [localvolumes/status, localsnapshots/status, localgroupsnapshots/status, localpools/status]
  verbs: [patch]
- apiGroups: [local.stowage.dev]
  resources: [localpools]
  verbs: [get, create, update]
# The pool belongs to its node and goes with it.
- apiGroups: [""]
  resources: [nodes]
  verbs: [get]
{{- end -}}
