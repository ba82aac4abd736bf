#!/bin/sh
# Debian's "webhook" runs this for each request, with WEBHOOK_SECRET in its environment. It answers
# 500 unless the signature is right, and then Gatehouse tries again.
key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -vtx1 | tr -d ' \n')
signature=$(printf '%s.%s.%s' "$ID" "$TIMESTAMP" "$BODY" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
case " $SIGNATURES " in *" v1,$signature "*) ;; *) exit 1 ;; esac
[ $(($(date +%s) - TIMESTAMP)) -lt 300 ] || exit 1

printf '%s\n' "$BODY" >> events.ndjson
