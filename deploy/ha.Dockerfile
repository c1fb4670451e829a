# The other programs of compose-ha.yaml, from Debian's packages: PostgreSQL under Patroni, etcd and HAProxy.
ARG DEBIAN_IMAGE=debian:bookworm-slim
FROM ${DEBIAN_IMAGE}
RUN apt-get update \
  && apt-get install --yes --no-install-recommends postgresql-15 patroni etcd-server etcd-client haproxy curl \
  && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/15/main /etc/postgresql/15/main \
  && install -d -o postgres -g postgres -m 0700 /data
COPY patroni.yaml haproxy.cfg /etc/receivables/
VOLUME /data
USER postgres
ENV HOME=/tmp
CMD ["patroni", "/etc/receivables/patroni.yaml"]
