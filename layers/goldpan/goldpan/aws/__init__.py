"""What only the deployment on AWS needs: events, stages, single flight, the container, secrets and telemetry."""
