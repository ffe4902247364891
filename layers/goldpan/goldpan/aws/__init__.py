"""What only the deployment on AWS needs: the messages between the state machine and its doors, and their equipment."""
