"""What only the deployment on AWS needs: events, stages, the container, settings, telemetry, releases."""
