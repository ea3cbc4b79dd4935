# One process of the DP Explorer. compose.yaml runs two of them behind nginx; docs/deployment.md says how.
FROM python:3.11-slim-bookworm

# The same account in every process, so that they can share a folder of results.
RUN useradd --uid 10001 --home-dir /tmp explorer && mkdir -p /cache && chown explorer /cache
WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir --disable-pip-version-check -r requirements.txt
COPY --chown=explorer . .
RUN chown explorer /app
USER explorer

ENV OMP_NUM_THREADS=1 \
    PYTHONUNBUFFERED=1 \
    DPCORE_CACHE=/cache
# Written now, since compose.yaml runs the image read-only: the browser's files, compiled loops.
RUN python -c "from ui import static_files; static_files.publish()" \
    && python -m dpcore --help > /dev/null
# What pages open with. Results for data of a folder that is mounted later (DPCORE_DATA) go to DPCORE_CACHE.
ENV DPCORE_PREPARED=/app/prepared
RUN DPCORE_CACHE=/app/prepared python -m pages prepare
# Every page is drawn once behind the start, before anybody comes.
ENV DPCORE_AHEAD=1
EXPOSE 8501
HEALTHCHECK --start-period=60s --interval=10s --timeout=5s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
# exec form: SIGTERM reaches the server, which ends within a second.
CMD ["streamlit", "run", "app.py", "--server.address=0.0.0.0", "--server.port=8501"]
