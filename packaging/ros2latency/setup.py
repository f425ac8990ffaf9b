# SPDX-License-Identifier: MIT
from xml.etree import ElementTree

from setuptools import find_packages, setup

NAME = 'ros2latency'
manifest = ElementTree.parse('package.xml')

setup(
    name=NAME,
    version=manifest.findtext('version'),
    description=manifest.findtext('description'),
    license=manifest.findtext('license'),
    maintainer=manifest.findtext('maintainer'),
    maintainer_email=manifest.find('maintainer').get('email'),
    packages=find_packages(exclude=['test']),
    data_files=[
        (f'share/{NAME}', ['package.xml']),
        ('share/ament_index/resource_index/packages', [f'resource/{NAME}']),
    ],
    install_requires=['setuptools'],
    zip_safe=True,
    entry_points={
        'ros2cli.command': ['latency = ros2latency.command.latency:LatencyCommand'],
        'ros2doctor.checks': ['LatencyCheck = ros2latency.doctor:LatencyCheck'],
        'ros2doctor.report': ['LatencyReport = ros2latency.doctor:LatencyReport'],
    },
)
