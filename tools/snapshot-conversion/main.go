// The conversion webhook that the custom resource of VolumeGroupSnapshotContent asks for. Its versions differ in one list: v1beta1
// has pairs of handles, v1beta2 has the same pairs with room for more. What only the newer one can hold is lost on the way back.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
)

const (
	group = "groupsnapshot.storage.k8s.io/"
	pairs = "volumeSnapshotHandlePairList"
	infos = "volumeSnapshotInfoList"
)

type review struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Request    *request  `json:"request,omitempty"`
	Response   *response `json:"response,omitempty"`
}

type request struct {
	UID               string           `json:"uid"`
	DesiredAPIVersion string           `json:"desiredAPIVersion"`
	Objects           []map[string]any `json:"objects"`
}

type response struct {
	UID              string           `json:"uid"`
	ConvertedObjects []map[string]any `json:"convertedObjects"`
	Result           map[string]any   `json:"result"`
}

func main() {
	address := flag.String("listen", "127.0.0.1:8443", "where to listen")
	certificate := flag.String("tls-cert-file", "", "the server's certificate")
	key := flag.String("tls-private-key-file", "", "the server's key")
	flag.Parse()
	http.HandleFunc("POST /convert", serve)
	http.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServeTLS(*address, *certificate, *key, nil))
}

func serve(writer http.ResponseWriter, incoming *http.Request) {
	var asked review
	if err := json.NewDecoder(incoming.Body).Decode(&asked); err != nil || asked.Request == nil {
		http.Error(writer, "this is no ConversionReview", http.StatusBadRequest)
		return
	}
	answer := review{APIVersion: asked.APIVersion, Kind: asked.Kind, Response: convertAll(asked.Request)}
	writer.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(writer).Encode(answer); err != nil {
		log.Print("the answer could not be sent: ", err)
	}
}

func convertAll(asked *request) *response {
	answer := &response{UID: asked.UID, Result: map[string]any{"status": "Success"}}
	for _, object := range asked.Objects {
		if !convert(object, asked.DesiredAPIVersion) {
			message := "only v1beta1 and v1beta2 can be converted, not to " + asked.DesiredAPIVersion
			return &response{UID: asked.UID, Result: map[string]any{"status": "Failure", "message": message}}
		}
		answer.ConvertedObjects = append(answer.ConvertedObjects, object)
	}
	return answer
}

// Whether it could be converted, in place.
func convert(object map[string]any, version string) bool {
	status, _ := object["status"].(map[string]any)
	switch version {
	case group + "v1beta1":
		rename(status, infos, pairs, func(entry map[string]any) map[string]any {
			return map[string]any{"volumeHandle": entry["volumeHandle"], "snapshotHandle": entry["snapshotHandle"]}
		})
	case group + "v1beta2":
		rename(status, pairs, infos, func(entry map[string]any) map[string]any { return entry })
	default:
		return false
	}
	object["apiVersion"] = version
	return true
}

func rename(status map[string]any, from, to string, each func(map[string]any) map[string]any) {
	entries, present := status[from].([]any)
	if !present {
		return
	}
	for index, entry := range entries {
		if known, ok := entry.(map[string]any); ok {
			entries[index] = each(known)
		}
	}
	delete(status, from)
	status[to] = entries
}
