//go:build tools

// The conformance suite of HTTP/2, with the modules that it needs at fixed versions: it names none itself.
package tools

import _ "github.com/summerwind/h2spec/cmd/h2spec"
