# One process of the DP Explorer. compose.yaml runs two of them behind nginx; docs/deployment.md says how.
FROM python:3.11.16-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b AS base

# Packages in a stage of its own: what installs them does not come along.
FROM base AS packages
ARG TORCH=cpu
ENV TORCH=$TORCH UV_COMPILE_BYTECODE=1 UV_NO_CACHE=1 PIP_NO_CACHE_DIR=1
WORKDIR /build
COPY locks locks
COPY tools/install.sh tools/uv.sh tools/
RUN python -m venv /packages \
    && sh tools/install.sh /packages \
    && /packages/bin/pip uninstall --yes --quiet --disable-pip-version-check uv pip

FROM base
# The same account in every process, so that they can share a folder of results. All else belongs to root.
# /cache is open to any account, for hosts that choose the account themselves.
RUN useradd --uid 10001 --home-dir /tmp --no-log-init explorer && mkdir --mode 1777 /cache
COPY --from=packages /packages /packages
ENV PATH=/packages/bin:$PATH
WORKDIR /app
COPY . .

ENV OMP_NUM_THREADS=1 \
    PYTHONUNBUFFERED=1
# Written now, since compose.yaml runs the image read-only: the browser's files, bytecode, compiled loops, and what
# pages open with. Results for data of a folder that is mounted later (DPCORE_DATA) go to DPCORE_CACHE.
# The account below has to be able to read it all, whatever the modes were where the image is built.
RUN python -c "from ui.web import static_files; static_files.publish()" \
    && python -m compileall -q app.py dpcore pages ui \
    && NUMBA_CACHE_DIR=/app/compiled DPCORE_CACHE=/app/prepared python -m pages prepare \
    && chmod -R a+rX .
ENV HOME=/tmp \
    DPCORE_CACHE=/cache \
    DPCORE_PREPARED=/app/prepared \
    NUMBA_CACHE_DIR=/tmp/compiled
# Every page is drawn once behind the start, before anybody comes.
ENV DPCORE_AHEAD=1
USER 10001
EXPOSE 8501
HEALTHCHECK --start-period=60s --interval=10s --timeout=5s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/healthz', timeout=4)"]
# Numba reads compiled loops only where it may write, hence the copy. exec: SIGTERM reaches the server, which ends
# within a second.
CMD ["sh", "-c", "cp -r compiled /tmp && exec streamlit run app.py --server.address=0.0.0.0 --server.port=8501"]
