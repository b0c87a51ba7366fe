{{/* The backend `vsc`: arrays with the VPSA REST API. */}}

{{/* The name is the original's. */}}
{{- define "stowage.vsc.encryptionSecret" -}}
{{- default (printf "%s-encryption-secret" .Release.Name) .Values.vsc.encryption.existingSecret -}}
{{- end -}}

{{/* The Secret with further trusted certificates, empty if there are none. */}}
{{- define "stowage.vsc.trustSecret" -}}
{{- with .Values.vsc.customTrustedCertificates -}}
{{- if .existingSecret -}}{{ .existingSecret }}{{- else if .plainText -}}{{ $.Release.Name }}-custom-tls-cert{{- end -}}
{{- end -}}
{{- end -}}

{{/* Where the driver finds the pod that stands in for a kernel without iSCSI; several drivers of a node do not meet. */}}
{{- define "stowage.vsc.initiatorDirectory" -}}
{{- printf "%s/%s" (trimSuffix "/" .Values.vsc.initiator.directory) (include "stowage.driverName" . | sha256sum | trunc 8) -}}
{{- end -}}

{{- define "stowage.vsc.controllerArguments" -}}
- --encryption-key-directory=/etc/stowage/encryption
{{- with .Values.vsc.vpsa }}
- --{{ if not .useTLS }}no-{{ end }}array-tls
- --{{ if not .verifyTLS }}no-{{ end }}array-verify
- --array-timeout={{ .requestTimeout }}
- --monitor-interval={{ .monitorInterval }}
{{- end }}
{{- if include "stowage.vsc.trustSecret" . }}
- --array-trust=/etc/stowage/trust
{{- end }}
- --allocator={{ .Values.vsc.allocator }}
{{- with .Values.vsc.stonith }}
# 0s: never.
- --fence-after={{ ternary .probeTimeout "0s" .enable }}
{{- if and .enable .setTaint }}
- --taint-fenced-nodes
{{- end }}
{{- end }}
{{- end -}}

{{- define "stowage.vsc.controllerMounts" -}}
- {name: encryption, mountPath: /etc/stowage/encryption, readOnly: true}
{{- if include "stowage.vsc.trustSecret" . }}
- {name: trust, mountPath: /etc/stowage/trust, readOnly: true}
{{- end }}
{{- end -}}

{{- define "stowage.vsc.controllerVolumes" -}}
# As files, not through the API: the account needs no right to read Secrets, and a changed key arrives without a restart.
- name: encryption
  secret: {secretName: {{ include "stowage.vsc.encryptionSecret" . }}, defaultMode: 0440}
{{- with include "stowage.vsc.trustSecret" . }}
- name: trust
  secret: {secretName: {{ . }}, defaultMode: 0440}
{{- end }}
{{- end -}}

{{- define "stowage.vsc.provisionerArguments" -}}
{{- with trimPrefix "," (include "stowage.attributesGate" .) }}
- --feature-gates={{ . }}
{{- end }}
{{- end -}}

{{- define "stowage.vsc.controllerRules" -}}
# The driver keeps arrays, volumes and their resources in step.
- apiGroups: [storage.zadara.com]
  resources: [vscnodes]
  verbs: [get, list, watch]
- apiGroups: [storage.zadara.com]
  resources: [vscstorageclasses, vpsas]
  verbs: [get, list, watch, patch]
- apiGroups: [storage.zadara.com]
  resources: [volumes, externalvolumes, volumeattachments, snapshots]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [storage.zadara.com]
  resources:
    - vscstorageclasses/status
    - vpsas/status
    - volumes/status
    - externalvolumes/status
    - volumeattachments/status
    - snapshots/status
  verbs: [patch]
{{- if and .Values.vsc.stonith.enable .Values.vsc.stonith.setTaint }}
# Declares a node that was shut out of its volumes out of service.
- apiGroups: [""]
  resources: [nodes]
  verbs: [patch]
{{- end }}
{{- end -}}

{{- define "stowage.vsc.nodePod" -}}
# Sessions to arrays are those of the node, in its network.
hostNetwork: true
dnsPolicy: ClusterFirstWithHostNet
{{- end -}}

{{- define "stowage.vsc.nodeArguments" -}}
- --state-directory={{ .Values.vsc.stateDirectory }}
{{- with .Values.vsc.storageNetwork }}
- --storage-network={{ . }}
{{- end }}
- --initiator={{ .Values.vsc.initiator.kind }}
{{- if ne .Values.vsc.initiator.kind "open-iscsi" }}
- --initiator-directory={{ include "stowage.vsc.initiatorDirectory" . }}
{{- end }}
{{- end -}}

{{- define "stowage.vsc.nodeMounts" -}}
- {name: state, mountPath: {{ .Values.vsc.stateDirectory }}}
{{- if ne .Values.vsc.initiator.kind "open-iscsi" }}
# The other pod mounts its units here.
- {name: initiator, mountPath: {{ include "stowage.vsc.initiatorDirectory" . }}, mountPropagation: HostToContainer}
{{- end }}
{{- if ne .Values.vsc.initiator.kind "qemu" }}
# What open-iscsi and multipath share with the node: its name, the records of its sessions, its
# locks, which disks are multipath's and what udev knows.
- {name: iscsi, mountPath: /etc/iscsi}
- {name: iscsi-records, mountPath: /var/lib/iscsi}
- {name: iscsi-locks, mountPath: /run/lock/iscsi}
- {name: multipath, mountPath: /etc/multipath}
- {name: udev, mountPath: /run/udev, readOnly: true}
- {name: modules, mountPath: /lib/modules, readOnly: true}
{{- end }}
{{- end -}}

{{- define "stowage.vsc.nodeVolumes" -}}
- name: state
  hostPath: {path: {{ .Values.vsc.stateDirectory }}, type: DirectoryOrCreate}
{{- if ne .Values.vsc.initiator.kind "open-iscsi" }}
- name: initiator
  hostPath: {path: {{ include "stowage.vsc.initiatorDirectory" . }}, type: DirectoryOrCreate}
{{- end }}
{{- if ne .Values.vsc.initiator.kind "qemu" }}
- name: iscsi
  hostPath: {path: /etc/iscsi, type: DirectoryOrCreate}
- name: iscsi-records
  hostPath: {path: /var/lib/iscsi, type: DirectoryOrCreate}
- name: iscsi-locks
  hostPath: {path: /run/lock/iscsi, type: DirectoryOrCreate}
- name: multipath
  hostPath: {path: /etc/multipath, type: DirectoryOrCreate}
- name: udev
  hostPath: {path: /run/udev, type: DirectoryOrCreate}
- name: modules
  hostPath: {path: /lib/modules, type: DirectoryOrCreate}
{{- end }}
{{- end -}}

{{- define "stowage.vsc.nodeRules" -}}
# A node tells its address, its initiator's name and its public key, in the VSCNode of its name: see the admission policy.
- apiGroups: [storage.zadara.com]
  resources: [vscnodes]
  verbs: [get, create, update, patch]
{{- end -}}
